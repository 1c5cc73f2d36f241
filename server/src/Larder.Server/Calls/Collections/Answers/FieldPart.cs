using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The result for one requested dictionary field, as a message in field 1: 1 hit or miss, 2 the value.</summary>
internal readonly struct FieldPart : IElementFormat
{
    // The message's tag and length, the result, and the value's tag and length.
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
