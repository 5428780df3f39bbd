#pragma once
// Where the files are that tests read. main.cpp alone knows the paths, so that no other object file depends on the
// folder of the checkout, and ccache finds it again in another one.

#include <string>

namespace plait_test {

/// The folder test/data.
std::string data_folder();

/// The cases recorded from oneDNN as lines of numbers; recorded_case reads them.
std::string recorded_cases_file();

}  // namespace plait_test
