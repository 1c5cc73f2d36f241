using System.Buffers.Binary;

namespace Larder.Harness.Frames;

/// <summary>Corrupts valid frames at each level: the sequence of frames, their headers, their payloads, and the encoded bytes.</summary>
public static class FrameMutations
{
    private const int LastType = 11;

    private static readonly uint[] s_numbers = [0, 1, 0xFF, 16_384, 65_536, int.MaxValue, 0x8000_0000, uint.MaxValue];

    /// <summary>Applies the given number of random mutations to frames and returns the encoded frames. With 0 mutations, the frames are unchanged.</summary>
    public static byte[] Write(IEnumerable<Http2Frame> good, int changes, FrameRandom draw)
    {
        ArgumentNullException.ThrowIfNull(draw);
        var frames = good.ToList();
        bool isCut = false;
        for (int change = 0; change < changes; change++)
        {
            if (frames.Count == 0 || draw.Below(12) == 0)
            {
                isCut = true;
            }
            else
            {
                Change(frames, draw);
            }
        }

        byte[] bytes = [.. frames.SelectMany(frame => frame.ToBytes())];
        return isCut ? bytes[..draw.Below(bytes.Length + 1)] : bytes;
    }

    /// <summary>Returns a random frame: any type, flags and stream, with a payload of up to 64 bytes, or sometimes several thousand bytes.</summary>
    public static Http2Frame Any(FrameRandom draw)
    {
        ArgumentNullException.ThrowIfNull(draw);
        byte type = (byte)(draw.Chance(0.95) ? draw.Below(LastType) : draw.Below(256));
        return new(type, (byte)draw.Below(256), draw.Below(12), draw.Bytes(draw.Chance(0.05) ? draw.Below(17_000) : draw.Below(64)));
    }

    private static void Change(List<Http2Frame> frames, FrameRandom draw)
    {
        int at = draw.Below(frames.Count);
        switch (draw.Below(12))
        {
            case 0:
                frames.RemoveAt(at);
                break;
            case 1:
                frames.Insert(at, frames[at]);
                break;
            case 2:
                int other = draw.Below(frames.Count);
                (frames[at], frames[other]) = (frames[other], frames[at]);
                break;
            case 3:
                frames.Insert(at, Any(draw));
                break;
            case < 8:
                frames[at] = WithOtherHeader(frames[at], draw);
                break;
            default:
                frames[at] = frames[at] with { Payload = Changed(frames[at].Payload, draw) };
                break;
        }
    }

    private static Http2Frame WithOtherHeader(Http2Frame frame, FrameRandom draw) => draw.Below(4) switch
    {
        0 => frame with { Flags = (byte)(frame.Flags ^ (1 << draw.Below(8))) },
        1 => frame with { Type = (byte)draw.Below(LastType) },
        2 => frame with { Stream = OtherStream(frame.Stream, draw) },
        _ => frame with { Length = OtherLength(frame.Payload.Length, draw) },
    };

    private static int OtherStream(int stream, FrameRandom draw) =>
        draw.One(0, stream ^ 1, stream + 2, stream - 2, draw.Below(100), int.MaxValue, int.MinValue | stream);

    private static int OtherLength(int length, FrameRandom draw) => draw.One(0, length - 1, length + 1, length + draw.Below(1_000), 16_385, 0xFF_FFFF);

    private static byte[] Changed(byte[] payload, FrameRandom draw)
    {
        int way = payload.Length == 0 ? 0 : draw.Below(payload.Length < 4 ? 4 : 5);
        byte[] changed = [.. payload];
        switch (way)
        {
            case 0:
                return [.. payload, .. draw.Bytes(1 + draw.Below(20))];
            case 1:
                return payload[..draw.Below(payload.Length)];
            case 2:
                changed[draw.Below(changed.Length)] = draw.One<byte>(0, 0x7F, 0x80, 0xFF, (byte)draw.Below(256));
                return changed;
            case 3:
                changed[draw.Below(changed.Length)] ^= (byte)(1 << draw.Below(8));
                return changed;
            default:
                BinaryPrimitives.WriteUInt32BigEndian(changed.AsSpan(draw.Below(changed.Length - 3)), draw.One(s_numbers));
                return changed;
        }
    }
}
