using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>An element, as bytes in field 1 of the message without scores in Found.</summary>
internal readonly struct ScorelessElement : IElementFormat
{
    public static int OverheadBytesPerElement => PlainElement.OverheadBytesPerElement;

    // The field SortedSetFetchResponse.Found.values.
    public static int Arm => 2;

    public static void Write(ref ProtoWriter writer, in CollectionElement element) => PlainElement.Write(ref writer, element);
}
