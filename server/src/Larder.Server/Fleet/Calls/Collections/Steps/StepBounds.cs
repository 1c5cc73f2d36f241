using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>Splits a request into steps.</summary>
internal static class StepBounds
{
    /// <summary>
    /// Splits a message at the boundaries between its elements. The bytes between two consecutive bounds are a valid message that contains a part of the
    /// fields.
    /// </summary>
    /// <param name="message">The message, which must already be validated.</param>
    /// <param name="field">The number of the repeated field.</param>
    /// <param name="elementsAtOnce">The number of elements per step; the last step may have fewer.</param>
    /// <returns>The offset of each step, and the end of the last step.</returns>
    public static int[] Of(ReadOnlySpan<byte> message, int field, int elementsAtOnce)
    {
        List<int> bounds = [0];
        int elements = 0;
        int begin = 0;
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited) && elements++ == elementsAtOnce)
            {
                bounds.Add(begin);
                elements = 1;
            }

            reader.TrySkip();
            begin = reader.Position;
        }

        bounds.Add(message.Length);
        return [.. bounds];
    }
}
