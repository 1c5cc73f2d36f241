using System.Diagnostics;

namespace Larder.FileStore.Tests.Support;

/// <summary>Polls until a condition that another thread or process causes is true, for at most a minute.</summary>
internal static class Until
{
    internal static void True(Func<bool> condition)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(60), "It did not come about within a minute.");
            Thread.Sleep(2);
        }
    }
}
