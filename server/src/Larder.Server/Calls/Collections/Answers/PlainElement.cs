using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Encodes an element of a set or list as bytes in field 1.</summary>
internal readonly struct PlainElement : IElementFormat
{
    // A tag and a length. The length takes at most 4 bytes, because no element is larger than 11 MB.
    public static int OverheadBytesPerElement => 1 + 4;

    public static int Arm => 0;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => writer.WriteBytesField(1, element.Name);
}
