using Larder.Wire.Http2;
using Larder.Wire.Tests.Http2;

namespace Larder.Wire.Tests.Connections;

public sealed class FrameInputTests : IDisposable
{
    private readonly Journal _owner = new();
    private readonly FrameInput _input;

    public FrameInputTests() => _input = new FrameInput(_owner);

    public void Dispose() => _input.Dispose();

    [Fact]
    public void A_frame_is_handed_over_once_it_is_whole_and_what_follows_it_is_left()
    {
        Begin();
        byte[] frame = FramePeer.Frame(Http2FrameType.Data, Http2FrameHeader.EndStream, 3, 1, 2, 3);
        byte[] more = [.. frame, .. frame];
        for (int arrived = 0; arrived < frame.Length; arrived++)
        {
            Assert.Equal(0, _input.Take(more.AsSpan(0, arrived)));
        }

        Assert.Empty(_owner.Entries);
        Assert.Equal(frame.Length, _input.Take(more));
        Assert.Equal(["data 3: 1 2 3 of 3"], _owner.Entries);
    }

    [Fact]
    public void A_frame_that_is_too_long_ends_the_connection_before_it_has_come()
    {
        Begin();
        byte[] header = new byte[Http2FrameHeader.Size];
        new Http2FrameHeader(Http2Limits.FrameBytes, Http2FrameType.Data, 0, 1).Write(header);
        Assert.Equal(0, _input.Take(header));
        new Http2FrameHeader(Http2Limits.FrameBytes + 1, Http2FrameType.Data, 0, 1).Write(header);
        Breach.Ends(Http2ErrorCode.FrameSizeError, () => _input.Take(header));
    }

    [Fact]
    public void Settings_come_first_and_they_are_no_answer()
    {
        byte[] answer = FramePeer.Frame(Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0);
        Breach.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8])));
        Breach.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(answer));
        Assert.False(_input.HasSettings);
        Begin();
        Assert.True(_input.HasSettings);
        Take(answer);
        Assert.Equal(["idle Settings"], _owner.Entries);
    }

    [Fact]
    public void Padding_and_priorities_are_no_data_and_no_headers_and_count_for_the_window()
    {
        Begin();
        Take(FramePeer.Frame(Http2FrameType.Data, Http2FrameHeader.Padded, 1, 2, 9, 0, 0));
        const byte all = Http2FrameHeader.Padded | Http2FrameHeader.Priority | Http2FrameHeader.EndHeaders;
        Take(FramePeer.Frame(Http2FrameType.Headers, all, 1, 1, 0, 0, 0, 3, 7, 8, 0));
        Assert.Equal(["data 1: 9 of 4", "headers 1: 8"], _owner.Entries);
    }

    [Fact]
    public void A_block_of_several_frames_is_one_block_and_ends_its_stream_as_its_first_says()
    {
        Begin();
        Take(FramePeer.Frame(Http2FrameType.Headers, Http2FrameHeader.EndStream, 5, 1));
        Assert.NotEqual(0, _input.BlockSinceMs);
        Breach.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8])));
        Take(FramePeer.Frame(Http2FrameType.Continuation, 0, 5, 2));
        Take(FramePeer.Frame(Http2FrameType.Continuation, Http2FrameHeader.EndHeaders, 5, 3));
        Assert.Equal(0, _input.BlockSinceMs);
        Assert.Equal(["idle Continuation", "idle Continuation", "headers 5: 1 2 3, the last"], _owner.Entries);
    }

    [Theory]
    [InlineData(Http2FrameType.Data, 0, 1)]
    [InlineData(Http2FrameType.Headers, 0, 1)]
    [InlineData(Http2FrameType.Headers, 2, 1)]
    [InlineData(Http2FrameType.Priority, 0, 5)]
    [InlineData(Http2FrameType.ResetStream, 0, 4)]
    internal void A_streams_frame_names_one_and_headers_one_that_a_client_may_open(Http2FrameType type, int streamId, int length)
    {
        Begin();
        Breach.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(type, 0, streamId, new byte[length])));
        Assert.Empty(_owner.Entries);
    }

    [Fact]
    public void A_window_that_widens_by_nothing_or_beyond_the_largest_and_a_priority_of_another_length_fail_their_stream()
    {
        Begin();
        Take(FramePeer.WindowUpdate(3, 7));
        Take(FramePeer.WindowUpdate(3, 0));
        _owner.Fits = false;
        Take(FramePeer.WindowUpdate(3, int.MaxValue));
        Take(FramePeer.Frame(Http2FrameType.Priority, 0, 3, new byte[4]));
        Take(FramePeer.Frame(Http2FrameType.Priority, 0, 3, new byte[5]));
        Assert.Equal(
            [
                "window 3: 7",
                "window 3: 0",
                "fail 3: ProtocolError, a window update has increment 0",
                "window 3: 2147483647",
                "fail 3: FlowControlError, a window update exceeds 2^31-1",
                "idle Priority",
                "fail 3: FrameSizeError, a PRIORITY frame has the wrong length",
                "idle Priority",
            ],
            _owner.Entries);
    }

    [Fact]
    public void What_a_frame_says_is_read_and_one_that_nobody_knows_does_nothing()
    {
        Begin();
        Take(FramePeer.Reset(1, Http2ErrorCode.Cancel));
        Take(FramePeer.GoAway(9, Http2ErrorCode.EnhanceYourCalm));
        Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8));
        Take(FramePeer.Frame(Http2FrameType.Ping, Http2FrameHeader.Acknowledged, 0, 1, 2, 3, 4, 5, 6, 7, 8));
        Take(FramePeer.Frame((Http2FrameType)77, 0xFF, 0, 1));
        Assert.Equal(["reset 1: 8", "goaway 9: 11", "ping 1 2 3 4 5 6 7 8", "ping 1 2 3 4 5 6 7 8, an answer", "idle 77"], _owner.Entries);
        Breach.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.PushPromise, 0, 1, 0, 0, 0, 2)));
    }

    private void Begin()
    {
        Take(FramePeer.Settings((Http2Setting.InitialWindowSize, 5)));
        Assert.Equal(["settings: InitialWindowSize"], _owner.Entries);
        _owner.Entries.Clear();
    }

    private void Take(byte[] frame) => Assert.Equal(frame.Length, _input.Take(frame));

    private sealed class Journal : IFrameOwner
    {
        public List<string> Entries { get; } = [];

        public bool Fits { get; set; } = true;

        public void OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data) => Entries.Add($"data {header.StreamId}: {Text(data)} of {header.Length}");

        public void OnHeaders(int streamId, ReadOnlySpan<byte> block, bool endsStream) =>
            Entries.Add($"headers {streamId}: {Text(block)}{(endsStream ? ", the last" : "")}");

        public void OnReset(in Http2FrameHeader header, uint code) => Entries.Add($"reset {header.StreamId}: {code}");

        public void OnSettings(SettingsReader settings)
        {
            while (settings.TryRead(out Http2Setting setting, out _))
            {
                Entries.Add($"settings: {setting}");
            }
        }

        public void OnPing(ReadOnlySpan<byte> payload, bool isAnswer) => Entries.Add($"ping {Text(payload)}{(isAnswer ? ", an answer" : "")}");

        public bool OnWindowUpdate(in Http2FrameHeader header, int increment)
        {
            Entries.Add($"window {header.StreamId}: {increment}");
            return Fits;
        }

        public void OnGoAway(int lastStreamId, uint code) => Entries.Add($"goaway {lastStreamId}: {code}");

        public void OnIdle(in Http2FrameHeader header) => Entries.Add($"idle {header.Type}");

        public void FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what) => Entries.Add($"fail {header.StreamId}: {code}, {what}");

        private static string Text(ReadOnlySpan<byte> bytes) => string.Join(' ', bytes.ToArray());
    }
}
