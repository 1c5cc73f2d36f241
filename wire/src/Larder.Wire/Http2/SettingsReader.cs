using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>Reads a SETTINGS frame entry by entry and validates each entry (RFC 9113, section 6.5.2).</summary>
internal ref struct SettingsReader
{
    private const int EntryBytes = 6;
    private const uint LargestFrame = 0xFF_FFFF;

    private ReadOnlySpan<byte> _rest;

    /// <summary>Creates a reader of the frame and checks the frame's length.</summary>
    /// <exception cref="Http2ConnectionException">The frame belongs to a stream, is truncated, or is an acknowledgement with a payload.</exception>
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

    /// <summary>Gets whether the frame acknowledges settings sent from this side. Such a frame has no entries.</summary>
    public bool IsAnswer { get; }

    /// <summary>Gets the number of remaining entries.</summary>
    public readonly int Entries => _rest.Length / EntryBytes;

    /// <summary>Reads the next entry, including entries of unknown settings. Returns false if there are no more entries.</summary>
    /// <exception cref="Http2ConnectionException">The value is invalid for the setting.</exception>
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
                throw Http2ConnectionException.Protocol("ENABLE_PUSH must be 0 or 1");
            case Http2Setting.InitialWindowSize when value > Http2Limits.LargestWindow:
                throw Http2ConnectionException.FlowControl("INITIAL_WINDOW_SIZE exceeds 2^31-1");
            case Http2Setting.MaxFrameSize when value is < Http2Limits.FrameBytes or > LargestFrame:
                throw Http2ConnectionException.Protocol("MAX_FRAME_SIZE is out of range");
        }
    }
}
