namespace Larder.Store.Collections;

/// <summary>One item of a request: where its bytes stand among the request's (<see cref="CollectionBatch"/>).</summary>
/// <param name="NameAt">Where the field, the member, or the list's element begins.</param>
/// <param name="NameLength">Its length, in bytes.</param>
/// <param name="ValueAt">Where a field's value begins; 0 where there is none.</param>
/// <param name="ValueLength">Its length, in bytes.</param>
/// <param name="Score">Of a sorted set's member; else 0.</param>
public readonly record struct CollectionItem(int NameAt, int NameLength, int ValueAt = 0, int ValueLength = 0, double Score = 0);
