using System.Text.Encodings.Web;
using System.Text.Json;
using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>larder file export: one JSON object a line.</summary>
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
        Console.Error.WriteLine($"{entries} entries exported");
        return 0;
    }

    private static void Write(Stream destination, in Operation entry)
    {
        using (Utf8JsonWriter writer = new(destination, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            writer.WriteStartObject();
            writer.WriteString("key", entry.Key);
            if (entry.Value is string text)
            {
                writer.WriteString("value", text);
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

    private static void WriteIfSet(Utf8JsonWriter writer, string name, long value)
    {
        if (value != 0)
        {
            writer.WriteNumber(name, value);
        }
    }
}
