using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Encodes an element of a sorted set, without its score, as bytes in field 1.</summary>
internal readonly struct ScorelessElement : IElementFormat
{
    public static int OverheadBytesPerElement => PlainElement.OverheadBytesPerElement;

    // The field SortedSetFetchResponse.Found.values.
    public static int Arm => 2;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => PlainElement.Write(ref writer, element);
}
