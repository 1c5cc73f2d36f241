namespace Larder.Lab.Tests.Near;

/// <summary>
/// Parses the bytes that a server sends on one HTTP/2 connection: the gRPC messages in the DATA frames of each stream, and the fields of the outermost message.
/// Replaces the tag of each field <c>invalidated</c> (3) or <c>clear</c> (4) by the tag of field 15 with the same wire type.
/// </summary>
/// <param name="swallowed">Called for each replaced tag.</param>
internal sealed class InvalidationFilter(Action swallowed)
{
    private const int FrameHeader = 9;
    private const byte Data = 0;

    private readonly byte[] _header = new byte[FrameHeader];
    private readonly Dictionary<int, Message> _messages = [];
    private int _headerBytes;
    private int _frameLeft;
    private Message? _message;

    /// <summary>Processes the next bytes and changes them in place.</summary>
    public void Deafen(Memory<byte> bytes)
    {
        foreach (ref byte each in bytes.Span)
        {
            if (_frameLeft > 0)
            {
                _frameLeft--;
                _message?.Next(ref each, swallowed);
                continue;
            }

            _header[_headerBytes++] = each;
            if (_headerBytes == FrameHeader)
            {
                BeginFrame();
            }
        }
    }

    private void BeginFrame()
    {
        _headerBytes = 0;
        _frameLeft = (_header[0] << 16) | (_header[1] << 8) | _header[2];
        int stream = ((_header[5] & 0x7F) << 24) | (_header[6] << 16) | (_header[7] << 8) | _header[8];
        _message = null;
        if (_header[3] == Data && !_messages.TryGetValue(stream, out _message))
        {
            _message = _messages[stream] = new Message();
        }
    }

    /// <summary>The parser state of one stream's messages.</summary>
    private sealed class Message
    {
        private const int PrefixBytes = 5;
        private const int Unknown = 15;

        private int _prefix;
        private long _left;
        private Place _place = Place.Tag;
        private long _number;
        private int _shift;
        private long _skip;

        private enum Place
        {
            Tag,
            Varint,
            Length,
            Bytes,
        }

        public void Next(ref byte each, Action swallowed)
        {
            if (_prefix < PrefixBytes)
            {
                _left = _prefix == 0 ? 0 : (_left << 8) | each;
                _prefix++;
                (_place, _prefix) = (Place.Tag, _prefix == PrefixBytes && _left == 0 ? 0 : _prefix);
                return;
            }

            Step(ref each, swallowed);
            if (--_left == 0)
            {
                _prefix = 0;
            }
        }

        private void Step(ref byte each, Action swallowed)
        {
            switch (_place)
            {
                case Place.Tag:
                    (int field, int wire) = (each >> 3, each & 7);
                    if (field is 3 or 4)
                    {
                        each = (byte)((Unknown << 3) | wire);
                        swallowed();
                    }

                    _place = wire == 0 ? Place.Varint : Place.Length;
                    (_number, _shift) = (0, 0);
                    break;
                case Place.Varint:
                    _place = each < 0x80 ? Place.Tag : Place.Varint;
                    break;
                case Place.Length:
                    _number |= (long)(each & 0x7F) << _shift;
                    _shift += 7;
                    if (each < 0x80)
                    {
                        _skip = _number;
                        _place = _skip == 0 ? Place.Tag : Place.Bytes;
                    }

                    break;
                case Place.Bytes:
                    _place = --_skip == 0 ? Place.Tag : Place.Bytes;
                    break;
            }
        }
    }
}
