using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class SettingsReaderTests
{
    [Fact]
    public void TryRead_returns_known_and_unknown_settings_in_order()
    {
        byte[] payload = [0, 1, 0, 0, 16, 0, 0, 4, 0, 1, 0, 0, 0xAB, 0xCD, 255, 255, 255, 255];
        Assert.Equal(
            [(Http2Setting.HeaderTableSize, 4_096u), (Http2Setting.InitialWindowSize, 65_536u), ((Http2Setting)0xABCD, uint.MaxValue)],
            Read(payload));
    }

    [Fact]
    public void Settings_acknowledgement_has_no_entries()
    {
        SettingsReader reader = new(new Http2FrameHeader(0, Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0), []);
        Assert.True(reader.IsAnswer);
        Assert.False(reader.TryRead(out _, out _));
    }

    [Theory]
    [InlineData(0, 1, 6, Http2ErrorCode.ProtocolError)]
    [InlineData(0, 0, 5, Http2ErrorCode.FrameSizeError)]
    [InlineData(0, 0, 7, Http2ErrorCode.FrameSizeError)]
    [InlineData(Http2FrameHeader.Acknowledged, 0, 6, Http2ErrorCode.FrameSizeError)]
    internal void Constructor_rejects_nonzero_stream_id_and_invalid_length(byte flags, int streamId, int length, Http2ErrorCode code) =>
        Violation.Ends(code, () => _ = new SettingsReader(new Http2FrameHeader(length, Http2FrameType.Settings, flags, streamId), new byte[length]).IsAnswer);

    [Theory]
    [InlineData(Http2Setting.EnablePush, 0, null)]
    [InlineData(Http2Setting.EnablePush, 1, null)]
    [InlineData(Http2Setting.EnablePush, 2, Http2ErrorCode.ProtocolError)]
    [InlineData(Http2Setting.InitialWindowSize, int.MaxValue, null)]
    [InlineData(Http2Setting.InitialWindowSize, 0x8000_0000, Http2ErrorCode.FlowControlError)]
    [InlineData(Http2Setting.MaxFrameSize, 16_383, Http2ErrorCode.ProtocolError)]
    [InlineData(Http2Setting.MaxFrameSize, 16_384, null)]
    [InlineData(Http2Setting.MaxFrameSize, 16_777_215, null)]
    [InlineData(Http2Setting.MaxFrameSize, 16_777_216, Http2ErrorCode.ProtocolError)]
    [InlineData(Http2Setting.MaxConcurrentStreams, uint.MaxValue, null)]
    internal void TryRead_rejects_setting_outside_its_range(Http2Setting setting, uint value, Http2ErrorCode? code)
    {
        byte[] payload = [0, (byte)setting, (byte)(value >> 24), (byte)(value >> 16), (byte)(value >> 8), (byte)value];
        if (code is { } breach)
        {
            Violation.Ends(breach, () => Read(payload));
        }
        else
        {
            Assert.Equal([(setting, value)], Read(payload));
        }
    }

    private static List<(Http2Setting Setting, uint Value)> Read(byte[] payload)
    {
        SettingsReader reader = new(new Http2FrameHeader(payload.Length, Http2FrameType.Settings, 0, 0), payload);
        List<(Http2Setting, uint)> entries = [];
        while (reader.TryRead(out Http2Setting setting, out uint value))
        {
            entries.Add((setting, value));
        }

        return entries;
    }
}
