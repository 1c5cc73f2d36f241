namespace Larder.Client.Tests.Support;

/// <summary>Waits for what another thread or process is about to make true.</summary>
internal static class Eventually
{
    /// <summary>Generous: a loaded machine is slow, and a right answer comes long before.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Polls until <paramref name="condition"/> holds. Fails the test where it does not within <see cref="Limit"/>.</summary>
    public static async Task Holds(Func<bool> condition, string what)
    {
        DateTime end = DateTime.UtcNow + Limit;
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < end, $"Still not so: {what}");
            await Task.Delay(5);
        }
    }

    /// <summary>The task's result, or a failed test.</summary>
    public static Task<T> Within<T>(ValueTask<T> task) => task.AsTask().WaitAsync(Limit);
}
