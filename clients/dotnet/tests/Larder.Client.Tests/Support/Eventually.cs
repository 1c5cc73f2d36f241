namespace Larder.Client.Tests.Support;

/// <summary>Waits until another thread or process has fulfilled a condition.</summary>
internal static class Eventually
{
    /// <summary>The maximum time to wait. It is long, because a busy machine is slow. Only a failing test waits that long.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Polls until <paramref name="condition"/> is true. Fails the test if this takes longer than <see cref="Limit"/>.</summary>
    public static async Task Holds(Func<bool> condition, string what)
    {
        DateTime end = DateTime.UtcNow + Limit;
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < end, $"Still not so: {what}");
            await Task.Delay(5);
        }
    }

    /// <summary>Returns the task's result, or fails the test after <see cref="Limit"/>.</summary>
    public static Task<T> Within<T>(ValueTask<T> task) => task.AsTask().WaitAsync(Limit);
}
