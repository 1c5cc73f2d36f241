namespace Larder.Server.Tests.Faults;

/// <summary>Polls a condition that depends on other processes. The time limit is much longer than the expected time.</summary>
internal static class Until
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    public static async Task TrueAsync(Func<Task<bool>> condition, string what)
    {
        using CancellationTokenSource patience = new(Limit);
        while (!await condition())
        {
            Assert.False(patience.IsCancellationRequested, $"It never came true: {what}.");
            await Task.Delay(Interval);
        }
    }
}
