namespace Larder.Wire.Protobuf;

/// <summary>The encoding of a protobuf field's value: the low three bits of its tag.</summary>
public enum ProtoWireType
{
    /// <summary>A base-128 integer of 1 to 10 bytes.</summary>
    Varint = 0,

    /// <summary>A value of eight bytes.</summary>
    Fixed64 = 1,

    /// <summary>A length as a varint, followed by that many bytes.</summary>
    LengthDelimited = 2,

    /// <summary>A value of four bytes.</summary>
    Fixed32 = 5,
}
