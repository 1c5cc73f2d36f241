using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Encodes the result for one requested set element as a bool. All results of a response are packed in field 1.</summary>
internal readonly struct Presence : IElementFormat
{
    public static int OverheadBytesPerElement => 1;

    public static int Arm => 1;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => writer.WriteVarint(element.IsPresent ? 1u : 0u);
}
