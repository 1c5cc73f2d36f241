using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The result for one requested set element: a bool, packed with the others in field 1.</summary>
internal readonly struct Presence : IElementFormat
{
    public static int OverheadBytesPerElement => 1;

    public static int Arm => 1;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => writer.WriteVarint(element.IsPresent ? 1u : 0u);
}
