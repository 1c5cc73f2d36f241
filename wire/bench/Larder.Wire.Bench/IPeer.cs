namespace Larder.Wire.Bench;

/// <summary>A way of making the calls that are compared.</summary>
internal interface IPeer : IAsyncDisposable
{
    string Name { get; }

    /// <summary>One call of caller <paramref name="caller"/>: a get where <paramref name="number"/> is even, a set where it is odd.</summary>
    ValueTask CallAsync(int caller, int number);
}
