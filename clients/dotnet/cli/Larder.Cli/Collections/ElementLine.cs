using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>One element of a collection, printed as a line.</summary>
/// <param name="Value">A dictionary's value, otherwise the element.</param>
/// <param name="Field">A dictionary's field.</param>
/// <param name="Score">A sorted set's score.</param>
internal readonly record struct ElementLine(ReadOnlyMemory<byte> Value, ReadOnlyMemory<byte>? Field = null, double? Score = null)
{
    /// <summary>Writes the line: the field or the score, a tab, and the value; or a JSON object.</summary>
    /// <param name="output">The destination.</param>
    /// <param name="form">How the bytes are written. In the form for terminals they are escaped also in a pipe, so that each line is one element.</param>
    /// <param name="withScore">Whether the score is written. JSON always contains it.</param>
    public void Write(Stream output, ValueForm form, bool withScore)
    {
        if (form == ValueForm.Json)
        {
            WriteJson(output);
        }
        else
        {
            if (Field is { } field)
            {
                WriteBytes(output, field.Span, form);
                output.WriteByte((byte)'\t');
            }

            if (withScore && Score is { } score)
            {
                output.Write(Encoding.ASCII.GetBytes(OfScore(score)));
                output.WriteByte((byte)'\t');
            }

            WriteBytes(output, Value.Span, form);
        }

        output.WriteByte((byte)'\n');
    }

    /// <summary>Returns a score in a form that can be parsed again: the shortest digits, <c>inf</c> or <c>-inf</c>.</summary>
    public static string OfScore(double score) =>
        double.IsInfinity(score) ? (score > 0 ? "inf" : "-inf") : score.ToString(CultureInfo.InvariantCulture);

    private static void WriteBytes(Stream output, ReadOnlySpan<byte> bytes, ValueForm form) =>
        output.Write(form switch
        {
            ValueForm.Raw => bytes,
            ValueForm.Hex => Encoding.ASCII.GetBytes(Convert.ToHexStringLower(bytes)),
            _ => Encoding.UTF8.GetBytes(TerminalText.OfKey(bytes)),
        });

    private void WriteJson(Stream output)
    {
        using Utf8JsonWriter writer = new(output);
        writer.WriteStartObject();
        if (Field is { } field)
        {
            BytesJson.WriteField(writer, field.Span);
        }

        BytesJson.WriteValue(writer, Value.Span);
        switch (Score)
        {
            // JSON does not support infinite numbers.
            case { } infinite when double.IsInfinity(infinite):
                writer.WriteString("score"u8, OfScore(infinite));
                break;
            case { } score:
                writer.WriteNumber("score"u8, score);
                break;
        }

        writer.WriteEndObject();
    }
}
