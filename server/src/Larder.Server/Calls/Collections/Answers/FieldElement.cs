using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Encodes a dictionary entry as a message in field 1. The message contains the field name in field 1 and the value in field 2.</summary>
internal readonly struct FieldElement : IElementFormat
{
    // The tags and lengths of the message, of the field name and of the value.
    public static int OverheadBytesPerElement => 3 * (1 + 4);

    public static int Arm => 0;

    public static void Write(ref ProtoWriter writer, in CollectionElement element)
    {
        int value = element.Value.IsEmpty ? 0 : ProtoWriter.BytesFieldLength(2, element.Value.Length);
        writer.WriteLengthPrefix(1, ProtoWriter.BytesFieldLength(1, element.Name.Length) + value);
        writer.WriteBytesField(1, element.Name);
        if (value != 0)
        {
            writer.WriteBytesField(2, element.Value);
        }
    }
}
