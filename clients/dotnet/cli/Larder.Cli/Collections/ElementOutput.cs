namespace Larder.Cli;

/// <summary>Writes elements of a collection on standard output.</summary>
internal static class ElementOutput
{
    /// <summary>The options that say how elements are written, a line each.</summary>
    public static ValueFormOptions Options() => new(
        "The bytes unescaped, also on a terminal; an element with a line break is several lines",
        "The bytes in hexadecimal",
        "One JSON object a line: value or base64; a dictionary's has field or fieldBase64 too, a sorted set's score");

    /// <summary>A line each. Who reads may have seen enough before the last.</summary>
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

    /// <summary>A line each of those that are there; none of them is as an item that is not.</summary>
    public static int WriteFound(ElementLine[] found, ValueForm form, bool withScores = false) =>
        found.Length == 0 ? Output.Missing() : Write(found, form, withScores);

    /// <summary>The value alone, as an item's; JSON as a line of many.</summary>
    public static Task<int> WriteOneAsync(ElementLine line, ValueForm form, CancellationToken cancellation) =>
        form == ValueForm.Json ? Task.FromResult(Write([line], form)) : ValueOutput.WriteAsync([], line.Value, form, cancellation);
}
