using System.Diagnostics.CodeAnalysis;

namespace Larder.Store;

/// <summary>Checks invariants of the store. A broken invariant is a bug in the store, not a caller's error.</summary>
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
    private static void Breach(string what) => throw new InvalidOperationException($"Store invariant violated: {what}.");
}
