using System.Buffers.Text;

namespace Larder.FileStore.Engine;

/// <summary>Parses one line of the file into operations. Accepts only lines with a valid checksum.</summary>
internal ref struct RecordReader
{
    private const int TrailerBytes = RecordBuffer.TrailerBytes - 1;
    private ReadOnlySpan<byte> _rest;
    private bool _inBatch;
    private bool _done;

    /// <summary>Gets whether the line is malformed although its checksum is valid.</summary>
    internal bool Malformed { get; private set; }

    /// <summary>Starts to parse <paramref name="line"/>, which does not include the line feed. Returns false if the checksum is invalid.</summary>
    internal static bool TryOpen(ReadOnlySpan<byte> line, out RecordReader reader)
    {
        reader = default;
        int body = line.Length - TrailerBytes;
        if (body < 2 || line[0] != '{' || !HasTrailer(line[body..], out uint stored) || Crc.Of(line[..body]) != stored)
        {
            return false;
        }
        reader._rest = line[1..body];
        return true;
    }

    private static bool HasTrailer(ReadOnlySpan<byte> trailer, out uint crc)
    {
        crc = 0;
        return trailer.StartsWith(",\"c\":\""u8) && trailer.EndsWith("\"}"u8) && Crc.TryReadHex(trailer.Slice(6, 8), out crc);
    }

    /// <summary>Reads the next operation of the line. Returns false at the end of the line or if the line is malformed.</summary>
    internal bool Next(out Operation operation)
    {
        operation = default;
        if (_done)
        {
            return false;
        }
        if (!_inBatch && Take("\"clear\":1"u8))
        {
            Take(","u8);
            _done = _rest.Length == 0;
            operation.Kind = OperationKind.Clear;
            return true;
        }
        if (!_inBatch && Take("\"m\":["u8))
        {
            _inBatch = true;
        }
        if (!_inBatch)
        {
            _done = true;
            return ReadItem(ref operation);
        }
        Take(","u8);
        if (Take("]"u8))
        {
            _done = true;
            return false;
        }
        return Take("{"u8) && ReadItem(ref operation) && Take("}"u8) || Fail();
    }

    private bool ReadItem(ref Operation operation)
    {
        int before = _rest.Length;
        if (_rest.Length < 5 || !TakeName(out byte name) || !ReadText(out string key))
        {
            return Fail();
        }
        operation.Key = key;
        operation.Kind = name switch { (byte)'k' => OperationKind.Set, (byte)'d' => OperationKind.Remove, _ => OperationKind.Touch };
        while (_rest.Length > 1 && _rest[0] == ',' && _rest[1] == '"')
        {
            _rest = _rest[1..];
            if (!ReadField(ref operation))
            {
                return Fail();
            }
        }
        operation.RecordBytes = before - _rest.Length + 1 + RecordBuffer.TrailerBytes;
        return operation.Kind != OperationKind.Set || operation.Value is not null || Fail();
    }

    private bool ReadField(ref Operation operation)
    {
        if (!TakeName(out byte name))
        {
            return false;
        }
        switch (name)
        {
            case (byte)'v':
                bool isText = ReadText(out string text);
                operation.Value = text;
                return isText;
            case (byte)'b':
                return ReadBytes(ref operation);
            default:
                if (!Utf8Parser.TryParse(_rest, out long number, out int consumed))
                {
                    return false;
                }
                _rest = _rest[consumed..];
                switch (name)
                {
                    case (byte)'s': operation.SlidingMs = number; break;
                    case (byte)'a': operation.CapMs = number; break;
                    default: operation.ExpiresMs = number; break;
                }
                return true;
        }
    }

    private bool ReadBytes(ref Operation operation)
    {
        if (!TakeLiteral(out ReadOnlySpan<byte> literal))
        {
            return false;
        }
        byte[] value = new byte[Base64.GetMaxDecodedFromUtf8Length(literal.Length)];
        if (Base64.DecodeFromUtf8(literal, value, out _, out int written) != System.Buffers.OperationStatus.Done)
        {
            return false;
        }
        operation.Value = written == value.Length ? value : value[..written];
        return true;
    }

    private bool ReadText(out string text)
    {
        bool read = TakeLiteral(out ReadOnlySpan<byte> literal);
        text = read ? JsonText.Read(literal) : "";
        return read;
    }

    private bool TakeLiteral(out ReadOnlySpan<byte> literal)
    {
        literal = default;
        if (_rest.Length == 0 || _rest[0] != '"')
        {
            return false;
        }
        for (int at = 1; at < _rest.Length;)
        {
            int found = _rest[at..].IndexOfAny((byte)'"', (byte)'\\');
            if (found < 0)
            {
                return false;
            }
            at += found;
            if (_rest[at] == '"')
            {
                literal = _rest[1..at];
                _rest = _rest[(at + 1)..];
                return true;
            }
            at += 2;
        }
        return false;
    }

    /// <summary>Reads a field name of one letter and the colon, such as <c>"n":</c>.</summary>
    private bool TakeName(out byte name)
    {
        name = 0;
        if (_rest.Length < 5 || _rest[0] != '"' || _rest[2] != '"' || _rest[3] != ':')
        {
            return false;
        }
        name = _rest[1];
        _rest = _rest[4..];
        return true;
    }

    private bool Take(ReadOnlySpan<byte> expected)
    {
        if (!_rest.StartsWith(expected))
        {
            return false;
        }
        _rest = _rest[expected.Length..];
        return true;
    }

    private bool Fail()
    {
        Malformed = true;
        _done = true;
        return false;
    }
}
