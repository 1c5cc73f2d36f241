using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>Where a request is cut into steps.</summary>
internal static class StepBounds
{
    /// <summary>Cuts between the elements of a message: what stands between two bounds is a message of some of its fields.</summary>
    /// <param name="message">A message that was read before.</param>
    /// <param name="field">The field that repeats the elements.</param>
    /// <param name="elementsAtOnce">Of each step; the last may have fewer.</param>
    /// <returns>Where each step begins, and where the last ends.</returns>
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
