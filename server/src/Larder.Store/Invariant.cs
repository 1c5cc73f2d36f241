using System.Diagnostics.CodeAnalysis;

namespace Larder.Store;

/// <summary>What must always hold inside the store; a breach is a bug of the store, never of its caller.</summary>
internal static class Invariant
{
    public static void Holds([DoesNotReturnIf(false)] bool condition, string what)
    {
        if (!condition)
        {
            Breach(what);
        }
    }

    [DoesNotReturn]
    private static void Breach(string what) => throw new InvalidOperationException($"The store's invariant is broken: {what}.");
}
