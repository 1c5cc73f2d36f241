namespace Larder.Cli;

/// <summary>Writes elements of a collection to standard output.</summary>
internal static class ElementOutput
{
    /// <summary>Creates the options that determine the form in which elements are written.</summary>
    public static ValueFormOptions Options() => new(
        "Print the bytes unescaped, even on a terminal; an element that contains line breaks spans several lines",
        "Print the bytes in hexadecimal",
        "Print one JSON object per line: value, or base64 if it is not text; dictionaries add field (or fieldBase64), sorted sets add score");

    /// <summary>Writes one line per element. It is not an error if the reader closes the pipe early.</summary>
    public static int Write(IEnumerable<ElementLine> lines, ValueForm form, bool withScores = false)
    {
        Stream output = ResultStream.Open();
        try
        {
            foreach (ElementLine line in lines)
            {
                line.Write(output, form, withScores);
            }

            output.Flush();
            return ExitCode.Done;
        }
        catch (IOException closed) when (ResultStream.IsClosed(closed))
        {
            return ExitCode.Done;
        }
        catch (IOException unwritten)
        {
            return Output.Fail(unwritten.Message);
        }
    }

    /// <summary>Writes one line for each element that was found. If no element was found, reports a missing item.</summary>
    public static int WriteFound(ElementLine[] found, ValueForm form, bool withScores = false) =>
        found.Length == 0 ? Output.Missing() : Write(found, form, withScores);

    /// <summary>Writes only the value, in the same way as the value of an item. The JSON form is one line that also contains the field or the score.</summary>
    public static Task<int> WriteOneAsync(ElementLine line, ValueForm form, CancellationToken cancellation) =>
        form == ValueForm.Json ? Task.FromResult(Write([line], form)) : ValueOutput.WriteAsync([], line.Value, form, cancellation);
}
