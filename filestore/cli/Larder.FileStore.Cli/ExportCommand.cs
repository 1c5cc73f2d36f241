using System.Text.Json;
using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file export</c>: writes the live entries, one JSON object per line.</summary>
internal static class ExportCommand
{
    internal static int Run(FileInfo file, FileInfo? output)
    {
        LogInspection inspection = LogInspection.Of(file.FullName);
        if (inspection.Verdict != HeaderVerdict.Damaged && !CheckCommand.IsReadable(inspection))
        {
            return 1;
        }
        using Stream destination = output is null ? Console.OpenStandardOutput() : new FileStream(output.FullName, FileMode.CreateNew);
        int entries = 0;
        foreach (Operation entry in inspection.Live.OrderBy(e => e.Key, StringComparer.Ordinal))
        {
            Write(destination, entry);
            entries++;
        }
        Console.Error.WriteLine($"{Count.OfEntries(entries)} exported");
        return 0;
    }

    private static void Write(Stream destination, in Operation entry)
    {
        using (Utf8JsonWriter writer = new(destination))
        {
            writer.WriteStartObject();
            WriteText(writer, "key", entry.Key);
            if (entry.Value is string text)
            {
                WriteText(writer, "value", text);
            }
            else
            {
                writer.WriteBase64String("base64", (byte[])entry.Value!);
            }
            WriteIfSet(writer, "expiresUnixMs", entry.ExpiresMs);
            WriteIfSet(writer, "slidingMs", entry.SlidingMs);
            WriteIfSet(writer, "capUnixMs", entry.CapMs);
            writer.WriteEndObject();
        }
        destination.WriteByte((byte)'\n');
    }

    /// <summary>Writes a string with the cache's own encoder, because Utf8JsonWriter replaces unpaired surrogates.</summary>
    private static void WriteText(Utf8JsonWriter writer, string name, string text)
    {
        byte[] literal = new byte[JsonText.MaxBytes(text.Length) + 2];
        int written = JsonText.Write(text, literal.AsSpan(1));
        literal[0] = literal[written + 1] = (byte)'"';
        writer.WritePropertyName(name);
        writer.WriteRawValue(literal.AsSpan(0, written + 2), skipInputValidation: true);
    }

    private static void WriteIfSet(Utf8JsonWriter writer, string name, long value)
    {
        if (value != 0)
        {
            writer.WriteNumber(name, value);
        }
    }
}
