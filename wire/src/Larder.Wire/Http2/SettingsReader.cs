using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>Reads a SETTINGS frame entry by entry, and holds each to RFC 9113, 6.5.2.</summary>
internal ref struct SettingsReader
{
    private const int EntryBytes = 6;
    private const uint LargestFrame = 0xFF_FFFF;

    private ReadOnlySpan<byte> _rest;

    /// <exception cref="Http2ConnectionException">The frame is of a stream, is cut off, or is an acknowledgement that says something.</exception>
    public SettingsReader(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        FramePayload.RequireConnection(header);
        IsAnswer = header.Has(Http2FrameHeader.Acknowledged);
        if (payload.Length % EntryBytes != 0 || (IsAnswer && !payload.IsEmpty))
        {
            throw FramePayload.WrongLength(header);
        }

        _rest = payload;
    }

    /// <summary>True where the frame acknowledges settings of ours; it has no entries then.</summary>
    public bool IsAnswer { get; }

    /// <summary>Entries that are left.</summary>
    public readonly int Entries => _rest.Length / EntryBytes;

    /// <summary>The next entry, of any kind, known or not; false where there is none left.</summary>
    /// <exception cref="Http2ConnectionException">The value is none that the setting may have.</exception>
    public bool TryRead(out Http2Setting setting, out uint value)
    {
        if (_rest.IsEmpty)
        {
            (setting, value) = (default, 0);
            return false;
        }

        setting = (Http2Setting)BinaryPrimitives.ReadUInt16BigEndian(_rest);
        value = BinaryPrimitives.ReadUInt32BigEndian(_rest[2..]);
        _rest = _rest[EntryBytes..];
        Check(setting, value);
        return true;
    }

    private static void Check(Http2Setting setting, uint value)
    {
        switch (setting)
        {
            case Http2Setting.EnablePush when value > 1:
                throw Http2ConnectionException.Protocol("ENABLE_PUSH is neither 0 nor 1");
            case Http2Setting.InitialWindowSize when value > Http2Limits.LargestWindow:
                throw Http2ConnectionException.FlowControl("INITIAL_WINDOW_SIZE is over 2^31-1");
            case Http2Setting.MaxFrameSize when value is < Http2Limits.FrameBytes or > LargestFrame:
                throw Http2ConnectionException.Protocol("MAX_FRAME_SIZE is out of range");
        }
    }
}
