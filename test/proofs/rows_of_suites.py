#!/usr/bin/env python3
"""Prints the rows of the suites for plait_listed_plans: two types, then tag, extents and strides of both layouts."""

import certificates


def fields(layout):
    tag, dims = layout.split(" ")
    extents, _, strides = dims.partition(":")
    return f"{tag} {extents} {strides or '-'}"


def main():
    for rows in (certificates.of_networks(), certificates.of_tables(), certificates.of_hptt(), certificates.drawn(4000)):
        for src_type, dst_type, src, dst in rows:
            print(src_type, dst_type, fields(src), fields(dst))


if __name__ == "__main__":
    main()
