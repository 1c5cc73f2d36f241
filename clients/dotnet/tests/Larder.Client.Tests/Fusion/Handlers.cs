using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Larder.Client.Tests.Fusion;

/// <summary>Creates what FusionCache passes to a backplane.</summary>
internal static class Handlers
{
    public static BackplaneSubscriptionOptions Of(
        string? channel, Action<BackplaneConnectionInfo>? connected = null, Action<BackplaneMessage>? received = null) => new(
            "cache",
            "instance",
            channel,
            connected,
            received,
            info =>
            {
                connected?.Invoke(info);
                return ValueTask.CompletedTask;
            },
            message =>
            {
                received?.Invoke(message);
                return ValueTask.CompletedTask;
            });
}
