namespace Larder.Cli;

/// <summary>Reads a stream of bytes line by line. The buffer is not larger than necessary for the longest line.</summary>
/// <param name="input">The stream. It is not closed by this class.</param>
/// <param name="maxLineBytes">The maximum length of a line. Reading a longer line throws an exception.</param>
internal sealed class LineReader(Stream input, int maxLineBytes)
{
    private const int FirstBytes = 64 * 1024;

    private byte[] _buffer = new byte[FirstBytes];
    private int _begin;
    private int _end;
    private bool _isAtEnd;

    /// <summary>Gets the number of the last line that was read, from 1.</summary>
    public long Number { get; private set; }

    /// <summary>Returns the next line without its line break, or null at the end of the stream. The bytes are valid until the next read.</summary>
    /// <exception cref="InvalidDataException">The line is too long.</exception>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancellation)
    {
        int searched = 0;
        while (true)
        {
            int end = Array.IndexOf(_buffer, (byte)'\n', _begin + searched, _end - _begin - searched);
            if (end >= 0)
            {
                return Take(end, end + 1);
            }

            if (_isAtEnd)
            {
                // A plain null would be converted to an empty memory, that is, an empty line.
                return _begin == _end ? default(ReadOnlyMemory<byte>?) : Take(_end, _end);
            }

            searched = _end - _begin;
            MakeRoom();
            int read = await input.ReadAsync(_buffer.AsMemory(_end), cancellation).ConfigureAwait(false);
            _isAtEnd = read == 0;
            _end += read;
        }
    }

    private ReadOnlyMemory<byte> Take(int end, int next)
    {
        int length = end > _begin && _buffer[end - 1] == '\r' ? end - 1 - _begin : end - _begin;
        ReadOnlyMemory<byte> line = _buffer.AsMemory(_begin, length);
        _begin = next;
        Number++;
        return line;
    }

    private void MakeRoom()
    {
        int length = _end - _begin;
        if (length > maxLineBytes)
        {
            throw new InvalidDataException($"line {Number + 1} exceeds {maxLineBytes} bytes");
        }

        byte[] to = length > _buffer.Length / 2 ? new byte[_buffer.Length * 2] : _buffer;
        Buffer.BlockCopy(_buffer, _begin, to, 0, length);
        _buffer = to;
        _begin = 0;
        _end = length;
    }
}
