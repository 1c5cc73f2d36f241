using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Bytes in field 1: the members of a set, the elements of a list.</summary>
internal readonly struct PlainElement : IElementFormat
{
    // A tag and a length: no element is over 11 MB.
    public static int BytesBeside => 1 + 4;

    public static int Arm => 0;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => writer.WriteBytesField(1, element.Name);
}
