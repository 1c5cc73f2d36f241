using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>One element of a collection, printed as a line.</summary>
/// <param name="Value">The value of a field if the collection is a dictionary, otherwise the element.</param>
/// <param name="Field">The field if the collection is a dictionary, otherwise null.</param>
/// <param name="Score">The score if the collection is a sorted set, otherwise null.</param>
internal readonly record struct ElementLine(ReadOnlyMemory<byte> Value, ReadOnlyMemory<byte>? Field = null, double? Score = null)
{
    /// <summary>Writes the line. It consists of the field or the score if there is one, a tab, and the value. In the JSON form, it is one object.</summary>
    /// <param name="output">The destination.</param>
    /// <param name="form">
    /// The form in which the bytes are written. In the form for terminals, the bytes are escaped even if the output is a pipe, so that each line is exactly one
    /// element.
    /// </param>
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
