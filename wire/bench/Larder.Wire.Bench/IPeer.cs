namespace Larder.Wire.Bench;

/// <summary>A peer: one of the client implementations that the benchmark compares.</summary>
internal interface IPeer : IAsyncDisposable
{
    string Name { get; }

    /// <summary>
    /// Makes one call for the caller with the index <paramref name="caller"/>. If <paramref name="number"/> is even, the call is a get; if it is odd, the call
    /// is a set.
    /// </summary>
    ValueTask CallAsync(int caller, int number);
}
