using System.Buffers.Binary;
using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>
/// Generates the frames that a well-behaved gRPC client sends on one connection after the preface. The frames are randomly chosen from all variants that HTTP/2
/// permits.
/// </summary>
internal sealed class RandomCallFrames
{
    private const int MaxCalls = 6;

    private readonly FrameRandom _draw;
    private readonly CallBlocks _blocks;
    private readonly CallRequests _requests;
    private readonly List<Http2Frame> _frames = [];

    private RandomCallFrames(FrameRandom draw)
    {
        _draw = draw;
        _blocks = new CallBlocks(draw);
        _requests = new CallRequests(draw);
    }

    /// <summary>Returns the frames, starting with SETTINGS, and the number of calls that they complete.</summary>
    public static (IReadOnlyList<Http2Frame> Frames, int Calls) Of(FrameRandom draw)
    {
        var talk = new RandomCallFrames(draw);
        int calls = talk.Say();
        return (talk._frames, calls);
    }

    private int Say()
    {
        _frames.Add(new(Http2Frame.Settings, 0, 0, Settings()));
        _frames.Add(new(Http2Frame.Settings, Http2Frame.Acknowledge, 0, []));
        int calls = 1 + _draw.Below(MaxCalls);
        for (int call = 0, stream = 1; call < calls; call++, stream += 2)
        {
            Aside(stream);
            if (_draw.Below(4) == 0)
            {
                AddPipelineFrames(stream);
            }
            else
            {
                (string path, byte[] message) = _requests.Next();
                AddHeadersFrame(stream, path);
                AddDataFrame(stream, [.. Framed(message)], ends: true);
            }
        }

        if (_draw.Chance(0.2))
        {
            _frames.Add(new(Http2Frame.GoAway, 0, 0, new byte[8]));
        }

        return calls;
    }

    private byte[] Settings()
    {
        byte[] payload = new byte[_draw.Below(3) * 6];
        for (int at = 0; at < payload.Length; at += 6)
        {
            (ushort id, uint value) =
                _draw.One<(ushort, uint)>((1, 4_096), (1, 0), (2, 0), (3, 100), (4, 65_535), (4, 1 << 20), (5, 16_384), (6, 1 << 16), (99, 1));
            BinaryPrimitives.WriteUInt16BigEndian(payload.AsSpan(at), id);
            BinaryPrimitives.WriteUInt32BigEndian(payload.AsSpan(at + 2), value);
        }

        return payload;
    }

    // Adds a frame that may appear between calls.
    private void Aside(int stream)
    {
        switch (_draw.Below(8))
        {
            case 0:
                _frames.Add(new(Http2Frame.Ping, 0, 0, _draw.Bytes(8)));
                break;
            case 1:
                _frames.Add(Http2Frame.Of(Http2Frame.WindowUpdate, 0, (uint)(1 + _draw.Below(100_000))));
                break;
            case 2:
                _frames.Add(new(Http2Frame.Priority, 0, stream, [0, 0, 0, 0, (byte)_draw.Below(256)]));
                break;
            case 3:
                _frames.Add(new(Http2Frame.Settings, 0, 0, Settings()));
                break;
        }
    }

    private void AddPipelineFrames(int stream)
    {
        AddHeadersFrame(stream, CallRequests.Pipeline);
        uint id = 0;
        for (int batches = 1 + _draw.Below(3); batches > 0; batches--)
        {
            AddDataFrame(stream, [.. Framed(_requests.Batch(ref id))], ends: batches == 1);
            if (batches > 1)
            {
                Aside(stream);
            }
        }
    }

    private void AddHeadersFrame(int stream, string path)
    {
        byte[] block = _blocks.Of(path);
        int end = _draw.Chance(0.3) ? _draw.Below(block.Length + 1) : block.Length;
        byte padding = (byte)(_draw.Chance(0.2) ? 1 + _draw.Below(20) : 0);
        bool isWeighted = _draw.Chance(0.2);
        byte flags = (byte)((padding > 0 ? Http2Frame.Padded : 0) | (isWeighted ? Http2Frame.Weighted : 0) | (end == block.Length ? Http2Frame.EndHeaders : 0));
        _frames.Add(
            new(
                Http2Frame.Headers,
                flags,
                stream,
                [.. padding > 0 ? [padding] : Array.Empty<byte>(), .. isWeighted ? new byte[] { 0, 0, 0, 0, 15 } : [], .. block[..end], .. new byte[padding]]));
        while (end < block.Length)
        {
            int next = _draw.Chance(0.5) ? block.Length : Math.Min(block.Length, end + 1 + _draw.Below(20));
            _frames.Add(new(Http2Frame.Continuation, next == block.Length ? Http2Frame.EndHeaders : (byte)0, stream, block[end..next]));
            end = next;
        }
    }

    private void AddDataFrame(int stream, byte[] bytes, bool ends)
    {
        for (int at = 0; ;)
        {
            int next = _draw.Chance(0.7) ? bytes.Length : Math.Min(bytes.Length, at + 1 + _draw.Below(bytes.Length));
            byte padding = (byte)(_draw.Chance(0.1) ? 1 + _draw.Below(20) : 0);
            byte flags = (byte)((padding > 0 ? Http2Frame.Padded : 0) | (ends && next == bytes.Length ? Http2Frame.EndStream : 0));
            _frames.Add(new(Http2Frame.Data, flags, stream, [.. padding > 0 ? [padding] : Array.Empty<byte>(), .. bytes[at..next], .. new byte[padding]]));
            at = next;
            if (at == bytes.Length)
            {
                return;
            }
        }
    }

    private static IEnumerable<byte> Framed(byte[] message)
    {
        byte[] head = new byte[5];
        BinaryPrimitives.WriteInt32BigEndian(head.AsSpan(1), message.Length);
        return [.. head, .. message];
    }
}
