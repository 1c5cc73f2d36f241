using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// The first line of the file, <see cref="Bytes"/> bytes long, padded with spaces:
/// <c>{"fsc":1,"id":"89abcdef01234567","mode":"local","gen":11,"snap":20479,"prev":84693,"c":"xxxxxxxx"}</c>.
/// Bytes [0, <see cref="Snap"/>) of this file are equivalent to generation <see cref="Generation"/> - 1 read to byte <see cref="Previous"/>.
/// </summary>
internal readonly record struct LogHeader(ulong Id, bool Polled, long Generation, long Snap, long Previous)
{
    internal const int Bytes = 128;
    internal const int Version = 1;

    internal byte[] ToBytes()
    {
        string body = string.Create(CultureInfo.InvariantCulture,
            $"{{\"fsc\":{Version},\"id\":\"{Id:x16}\",\"mode\":\"{(Polled ? "polled" : "local")}\",\"gen\":{Generation},\"snap\":{Snap},\"prev\":{Previous}");
        byte[] line = new byte[Bytes];
        line.AsSpan().Fill((byte)' ');
        int length = Encoding.ASCII.GetBytes(body, line);
        ",\"c\":\""u8.CopyTo(line.AsSpan(length));
        Crc.WriteHex(Crc.Of(line.AsSpan(0, length)), line.AsSpan(length + 6));
        "\"}"u8.CopyTo(line.AsSpan(length + 14));
        line[^1] = (byte)'\n';
        return line;
    }

    /// <summary>Parses a header. Corrects the header if a single bit is damaged.</summary>
    internal static HeaderVerdict Read(ReadOnlySpan<byte> line, out LogHeader header)
    {
        header = default;
        if (line.Length == 0)
        {
            return HeaderVerdict.Empty;
        }
        if (line.Length >= Bytes)
        {
            ReadOnlySpan<byte> text = line[..(Bytes - 1)].TrimEnd((byte)' ');
            if (TryParse(text, out header))
            {
                return HeaderVerdict.Good;
            }
            byte[]? mended = DamagedRegion.CorrectOneBit(text);
            if (mended is not null && TryParse(mended, out header))
            {
                return HeaderVerdict.Good;
            }
        }
        if (!line.ContainsAnyExcept((byte)0))
        {
            // The power failed after the disk had recorded the length of the file but before the disk had written the data.
            return HeaderVerdict.Damaged;
        }
        if (!line.StartsWith("{\"fsc\":"u8))
        {
            return HeaderVerdict.Foreign;
        }
        return Utf8Parser.TryParse(line[7..], out int version, out _) && version > Version ? HeaderVerdict.Newer : HeaderVerdict.Damaged;
    }

    private static bool TryParse(ReadOnlySpan<byte> text, out LogHeader header)
    {
        header = default;
        int body = text.Length - (RecordBuffer.TrailerBytes - 1);
        if (body <= 0 || !Crc.TryReadHex(text.Slice(body + 6, 8), out uint crc) || crc != Crc.Of(text[..body]) || !text[body..].StartsWith(",\"c\":\""u8))
        {
            return false;
        }
        text = text[..body];
        return Number(text, "{\"fsc\":"u8, 'D', out long version) && version == Version
            && Number(text, "\"id\":\""u8, 'x', out long id)
            && Number(text, "\"gen\":"u8, 'D', out long generation)
            && Number(text, "\"snap\":"u8, 'D', out long snap)
            && Number(text, "\"prev\":"u8, 'D', out long previous)
            && Make(new LogHeader((ulong)id, text.IndexOf("\"mode\":\"polled\""u8) >= 0, generation, snap, previous), out header);
    }

    private static bool Make(LogHeader read, out LogHeader header)
    {
        header = read;
        return true;
    }

    private static bool Number(ReadOnlySpan<byte> text, ReadOnlySpan<byte> name, char format, out long value)
    {
        value = 0;
        int at = text.IndexOf(name);
        return at >= 0 && Utf8Parser.TryParse(text[(at + name.Length)..], out value, out _, format);
    }
}

/// <summary>The result of checking the first line of a file.</summary>
internal enum HeaderVerdict
{
    Good,
    Empty,
    Foreign,
    Newer,
    Damaged,
}
