using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Bytes in field 1 of Found's arm without scores: an element.</summary>
internal readonly struct ScorelessElement : IElementFormat
{
    public static int BytesBeside => PlainElement.BytesBeside;

    // SortedSetFetchResponse.Found.values
    public static int Arm => 2;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => PlainElement.Write(ref writer, element);
}
