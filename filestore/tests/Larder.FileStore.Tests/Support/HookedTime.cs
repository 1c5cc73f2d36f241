namespace Larder.FileStore.Tests.Support;

/// <summary>The system's clock; a look at it runs <paramref name="action"/> where <paramref name="isTime"/>.</summary>
internal sealed class HookedTime(Func<bool> isTime, Action action) : TimeProvider
{
    public override long GetTimestamp()
    {
        if (isTime())
        {
            action();
        }
        return base.GetTimestamp();
    }
}
