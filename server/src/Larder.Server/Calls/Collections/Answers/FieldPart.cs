using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// Encodes the result for one requested dictionary field as a message in field 1. The message contains "hit" or "miss" in field 1 and the value in field 2.
/// </summary>
internal readonly struct FieldPart : IElementFormat
{
    // The tag and length of the message, the result, and the tag and length of the value.
    public static int OverheadBytesPerElement => (1 + 4) + 2 + (1 + 4);

    public static int Arm => 0;

    public static void Write(ref ProtoWriter writer, in CollectionElement element)
    {
        int value = element.Value.IsEmpty ? 0 : ProtoWriter.BytesFieldLength(2, element.Value.Length);
        PartResult.Write(ref writer, element.IsPresent, value);
        if (value != 0)
        {
            writer.WriteBytesField(2, element.Value);
        }
    }
}
