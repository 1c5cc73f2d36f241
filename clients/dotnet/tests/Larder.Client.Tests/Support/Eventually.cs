namespace Larder.Client.Tests.Support;

/// <summary>Waits for conditions that another thread or process is about to fulfil.</summary>
internal static class Eventually
{
    /// <summary>Generous, because a loaded machine is slow. It is only reached by a failing test.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Polls until <paramref name="condition"/> is true. Fails the test if that takes longer than <see cref="Limit"/>.</summary>
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
