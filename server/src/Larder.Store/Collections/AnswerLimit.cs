namespace Larder.Store.Collections;

/// <summary>How large an answer may be. It is decided before anything is changed or shown.</summary>
/// <param name="MaxBytes">Bytes at most: of names and values, and what each element costs beside them.</param>
/// <param name="BytesPerElement">What an element of the answer costs beside its own bytes: its frame and score.</param>
public readonly record struct AnswerLimit(long MaxBytes, int BytesPerElement)
{
    /// <summary>No limit.</summary>
    public static AnswerLimit None => new(long.MaxValue, 0);

    internal bool Allows(long elements, long bytes) => BytesPerElement == 0 || elements <= MaxBytes / BytesPerElement
        ? bytes <= MaxBytes - (elements * BytesPerElement)
        : false;
}
