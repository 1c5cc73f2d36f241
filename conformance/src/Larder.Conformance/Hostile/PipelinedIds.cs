namespace Larder.Conformance.Hostile;

/// <summary>Reads the ids of the operations in a pipelined message (protocol/proto/pipeline.proto) from a well-behaved client.</summary>
internal static class PipelinedIds
{
    private const int MessageHeaderBytes = 5;

    /// <summary>Returns the ids, in order; an empty list if the frame does not contain a complete message.</summary>
    public static IReadOnlyList<uint> Read(ReadOnlySpan<byte> framed)
    {
        var ids = new List<uint>();
        for (int at = MessageHeaderBytes; at < framed.Length;)
        {
            // Batch.operations is field 1, whose value is bytes.
            if (framed[at++] != 0x0A)
            {
                break;
            }

            int length = (int)Varint(framed, ref at);
            int end = at + length;
            if (end > framed.Length)
            {
                break;
            }

            // Operation.id is field 1, whose value is a number. The encoder omits the id 0.
            int first = at + 1;
            ids.Add(framed[at] == 0x08 ? Varint(framed, ref first) : 0);
            at = end;
        }

        return ids;
    }

    private static uint Varint(ReadOnlySpan<byte> bytes, ref int at)
    {
        uint number = 0;
        for (int shift = 0; at < bytes.Length && shift < 35; shift += 7)
        {
            byte part = bytes[at++];
            number |= (uint)(part & 0x7F) << shift;
            if (part < 0x80)
            {
                break;
            }
        }

        return number;
    }
}
