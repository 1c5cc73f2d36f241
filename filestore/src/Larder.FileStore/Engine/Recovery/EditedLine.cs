using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace Larder.FileStore.Engine;

/// <summary>
/// Parses a line that was edited manually: different spaces or line endings, another value, a missing or wrong checksum. When a whole file is read, such a line
/// is accepted if it is valid JSON with the file's own fields. A line that differs from a valid one by a single flipped bit is treated as damage instead.
/// </summary>
internal static class EditedLine
{
    private static readonly JsonDocumentOptions Lenient = new() { AllowTrailingCommas = true };

    /// <summary>Removes the characters that editors add around a line: a byte order mark, spaces, and a carriage return.</summary>
    internal static ReadOnlySpan<byte> Trim(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        return (line.StartsWith(mark) ? line[mark.Length..] : line).Trim(" \t\r"u8);
    }

    /// <summary>
    /// Adds the operations of the line. Returns false and adds nothing if the line is not a valid edited line.
    /// </summary>
    internal static bool TryRead(ReadOnlySpan<byte> line, List<Operation> operations)
    {
        line = Trim(line);
        if (line.Length == 0)
        {
            return true;
        }
        if (RecordReader.TryOpen(line, out RecordReader record))
        {
            while (record.Next(out Operation operation))
            {
                operations.Add(operation);
            }
            return true;
        }
        return line[0] == '{' && Utf8.IsValid(line) && DamagedRegion.CorrectOneBit(line) is null && TryParse(line, operations);
    }

    private static bool TryParse(ReadOnlySpan<byte> line, List<Operation> operations)
    {
        int before = operations.Count;
        try
        {
            using JsonDocument document = JsonDocument.Parse(line.ToArray(), Lenient);
            if (TryRead(document.RootElement, operations))
            {
                return true;
            }
        }
        catch (Exception e) when (e is JsonException or FormatException or InvalidOperationException)
        {
            // The line is invalid, so it is treated as damaged.
        }
        operations.RemoveRange(before, operations.Count - before);
        return false;
    }

    private static bool TryRead(JsonElement line, List<Operation> operations)
    {
        if (line.TryGetProperty("clear", out _))
        {
            operations.Add(new Operation { Kind = OperationKind.Clear, Key = "" });
        }
        if (line.TryGetProperty("m", out JsonElement many))
        {
            return line.EnumerateObject().All(p => p.Name is "m" or "c" or "clear") && many.EnumerateArray().All(item => TryReadItem(item, operations));
        }
        return line.TryGetProperty("clear", out _) ? line.EnumerateObject().All(p => p.Name is "c" or "clear") : TryReadItem(line, operations);
    }

    private static bool TryReadItem(JsonElement item, List<Operation> operations)
    {
        Operation operation = default;
        HashSet<string> names = [];
        foreach (JsonProperty field in item.EnumerateObject())
        {
            if (!names.Add(field.Name) || !TryReadField(field, ref operation))
            {
                return false;
            }
        }
        bool isSet = names.Contains("k");
        if (
            operation.Key is null
            || names.Count(n => n is "k" or "d" or "t") != 1
            || isSet != operation.Value is not null
            || (names.Contains("v") && names.Contains("b")))
        {
            return false;
        }
        operation.Kind = isSet ? OperationKind.Set : names.Contains("d") ? OperationKind.Remove : OperationKind.Touch;
        operation.RecordBytes = isSet ? RecordBuffer.BytesOf(operation) : 0;
        operations.Add(operation);
        return true;
    }

    private static bool TryReadField(JsonProperty field, ref Operation operation)
    {
        switch (field.Name)
        {
            case "k" or "d" or "t": operation.Key = Text(field.Value); return true;
            case "v": operation.Value = Text(field.Value); return true;
            case "b": operation.Value = field.Value.GetBytesFromBase64(); return true;
            case "x": operation.ExpiresMs = field.Value.GetInt64(); return true;
            case "s": operation.SlidingMs = field.Value.GetInt64(); return true;
            case "a": operation.CapMs = field.Value.GetInt64(); return true;
            default: return field.Name == "c";
        }
    }

    /// <summary>
    /// Decodes strings with JsonText, because GetString rejects unpaired surrogates. Numbers and booleans are used as they are written.
    /// </summary>
    private static string Text(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => JsonText.Read(Encoding.UTF8.GetBytes(element.GetRawText()).AsSpan()[1..^1]),
        JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False => element.GetRawText(),
        _ => throw new FormatException("Keys and values must be strings."),
    };
}
