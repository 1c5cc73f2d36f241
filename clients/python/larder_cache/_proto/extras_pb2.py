# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/extras.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n larder_cache/_proto/extras.pro'
    b'to\x12\tlarder.v1"b\n\x0fScanKeysRequest'
    b'\x12\x0e\n\x06prefix\x18\x01 \x01(\x0c\x12 \n\x04type\x18\x02 \x01(\x0e2\x12'
    b'.larder.v1.KeyType\x12\x0e\n\x06cursor\x18\x03 \x01'
    b'(\x0c\x12\r\n\x05count\x18\x04 \x01(\r"G\n\x10ScanKeysRes'
    b'ponse\x12#\n\x04keys\x18\x01 \x03(\x0b2\x15.larder.v1.'
    b'ScannedKey\x12\x0e\n\x06cursor\x18\x02 \x01(\x0c"Z\n\nSc'
    b'annedKey\x12\x0b\n\x03key\x18\x01 \x01(\x0c\x12 \n\x04type\x18\x02 '
    b'\x01(\x0e2\x12.larder.v1.KeyType\x12\x0e\n\x06ttl_m'
    b's\x18\x03 \x01(\x04\x12\r\n\x05bytes\x18\x04 \x01(\x04"?\n\x10ScanIt'
    b'emsRequest\x12\x0c\n\x04name\x18\x01 \x01(\x0c\x12\x0e\n\x06curs'
    b'or\x18\x02 \x01(\x0c\x12\r\n\x05count\x18\x03 \x01(\r"\x91\x02\n\x11Scan'
    b'ItemsResponse\x12.\n\ndictionary\x18\x01 \x01('
    b'\x0b2\x18.larder.v1.ScannedFieldsH\x00\x12)\n'
    b'\x03set\x18\x02 \x01(\x0b2\x1a.larder.v1.ScannedEl'
    b'ementsH\x00\x12*\n\x04list\x18\x03 \x01(\x0b2\x1a.larder.'
    b'v1.ScannedElementsH\x00\x12.\n\nsorted_s'
    b'et\x18\x04 \x01(\x0b2\x18.larder.v1.ScannedScor'
    b'esH\x00\x12,\n\x07missing\x18\x05 \x01(\x0b2\x19.larder.v'
    b'1.ScannedNothingH\x00\x12\x0e\n\x06cursor\x18\t \x01'
    b'(\x0cB\x07\n\x05items"8\n\rScannedFields\x12\'\n\x06'
    b'fields\x18\x01 \x03(\x0b2\x17.larder.v1.Scanned'
    b'Field",\n\x0cScannedField\x12\r\n\x05field\x18\x01'
    b' \x01(\x0c\x12\r\n\x05value\x18\x02 \x01(\x0c"#\n\x0fScannedEl'
    b'ements\x12\x10\n\x08elements\x18\x01 \x03(\x0c":\n\rScan'
    b'nedScores\x12)\n\x08elements\x18\x01 \x03(\x0b2\x17.la'
    b'rder.v1.ScannedScore",\n\x0cScannedS'
    b'core\x12\r\n\x05value\x18\x01 \x01(\x0c\x12\r\n\x05score\x18\x02 \x01'
    b'(\x01"\x10\n\x0eScannedNothing*Q\n\x07KeyType\x12'
    b'\x07\n\x03ANY\x10\x00\x12\n\n\x06SCALAR\x10\x01\x12\x0e\n\nDICTIONA'
    b'RY\x10\x02\x12\x07\n\x03SET\x10\x03\x12\x08\n\x04LIST\x10\x04\x12\x0e\n\nSORTE'
    b'D_SET\x10\x052\x95\x01\n\x06Extras\x12C\n\x08ScanKeys\x12\x1a'
    b'.larder.v1.ScanKeysRequest\x1a\x1b.lar'
    b'der.v1.ScanKeysResponse\x12F\n\tScanI'
    b'tems\x12\x1b.larder.v1.ScanItemsReques'
    b't\x1a\x1c.larder.v1.ScanItemsResponseB'
    b'\x12\xaa\x02\x0fLarder.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.extras_pb2", globals())
