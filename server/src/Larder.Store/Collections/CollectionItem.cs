namespace Larder.Store.Collections;

/// <summary>One item of a request, as offsets into the request's bytes (<see cref="CollectionBatch"/>).</summary>
/// <param name="NameAt">The offset of the field, the member, or the list element.</param>
/// <param name="NameLength">The length of the name, in bytes.</param>
/// <param name="ValueAt">The offset of the field's value; 0 if there is no value.</param>
/// <param name="ValueLength">The length of the value, in bytes.</param>
/// <param name="Score">The score of a sorted set's member; otherwise 0.</param>
public readonly record struct CollectionItem(int NameAt, int NameLength, int ValueAt = 0, int ValueLength = 0, double Score = 0);
