"""The descriptor pool of Larder's messages alone."""

from google.protobuf.descriptor_pool import DescriptorPool

POOL = DescriptorPool()
