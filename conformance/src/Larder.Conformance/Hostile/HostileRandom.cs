using Larder.Harness.Frames;
using static Larder.Conformance.Hostile.HostileFrame;
using static Larder.Harness.Frames.Http2Frame;

namespace Larder.Conformance.Hostile;

/// <summary>Generates partly valid random bytes from a seed: messages with the field numbers of real messages, and frames of every type.</summary>
internal sealed class HostileRandom(int seed) : FrameRandom(seed)
{
    private const int Deepest = 3;

    private static readonly ulong[] s_numbers = [0, 1, 2, 3, 5, 1UL << 31, uint.MaxValue, 1UL << 63, ulong.MaxValue];
    private static readonly int[] s_fields = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18, 100];

    /// <summary>Returns a message of up to four fields. Some of the fields are nested messages. Sometimes one byte of the message is changed.</summary>
    public byte[] Message(int depth = 0)
    {
        var message = new List<byte>();
        for (int fields = Below(5); fields > 0; fields--)
        {
            int number = One(s_fields);
            message.AddRange(Below(6) switch
            {
                0 => Field(number, One(s_numbers)),
                < 4 when depth >= Deepest || Chance(0.4) => Field(number, Bytes(One(0, 1, 3, 20))),
                _ => Field(number, depth < Deepest ? Message(depth + 1) : []),
            });
        }

        if (message.Count > 0 && Chance(0.2))
        {
            message[Below(message.Count)] = (byte)Below(256);
        }

        return [.. message];
    }

    /// <summary>Returns one to nine frames, on the given stream and on streams with adjacent ids.</summary>
    public byte[] Frames(int stream, byte[] hit)
    {
        var frames = new List<byte>();
        for (int left = 1 + Below(9); left > 0; left--)
        {
            frames.AddRange(Frame(One(stream, stream, stream, 1, 0, 3, Below(100)), hit));
        }

        return [.. frames];
    }

    private byte[] Frame(int stream, byte[] hit) => Below(20) switch
    {
        < 6 => Of(
            Headers,
            One<byte>(EndHeaders, EndHeaders | EndStream, 0, EndHeaders | 8, EndHeaders | 0x20),
            stream,
            One(AnswerHead, AnswerEnd, [.. AnswerHead, .. AnswerEnd], [], Bytes(20), Header(":status", "200"), Header(":status", "abc"))),
        < 12 => Of(
            Data,
            One<byte>(0, 0, EndStream, 8),
            stream,
            One(HostileFrame.Message(hit), HostileFrame.Message(Message()), [], Bytes(30), HostileFrame.Message(hit, flag: 1))),
        12 => Of(Continuation, One<byte>(0, EndHeaders), stream, Bytes(5)),
        13 => WithNumber(Reset, stream, (uint)Below(16)),
        14 => WithNumber(WindowUpdate, stream, One<uint>(0, 1, 65_536, int.MaxValue)),
        15 => SettingsOf(((ushort)Below(8), One<uint>(0, 1, 16_384, 65_535, int.MaxValue, uint.MaxValue))),
        16 => Of(GoAway, 0, 0, [0, 0, 0, (byte)One(0, stream & 0x7F), 0, 0, 0, (byte)Below(14)]),
        17 => Of(Ping, One<byte>(0, 1), 0, Bytes(8)),
        _ => Of((byte)Below(256), (byte)Below(256), stream, Bytes(Below(50))),
    };
}
