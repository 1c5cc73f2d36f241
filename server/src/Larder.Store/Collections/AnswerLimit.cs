namespace Larder.Store.Collections;

/// <summary>The maximum size of a response. It is checked before the call changes the collection or returns elements.</summary>
/// <param name="MaxBytes">The maximum size in bytes: the names and values, plus <see cref="BytesPerElement"/> for each element.</param>
/// <param name="BytesPerElement">The overhead of each element of the response in bytes: its framing and score.</param>
public readonly record struct AnswerLimit(long MaxBytes, int BytesPerElement)
{
    /// <summary>Gets the limit that allows any size.</summary>
    public static AnswerLimit None => new(long.MaxValue, 0);

    internal bool Allows(long elements, long bytes) => BytesPerElement == 0 || elements <= MaxBytes / BytesPerElement
        ? bytes <= MaxBytes - (elements * BytesPerElement)
        : false;
}
