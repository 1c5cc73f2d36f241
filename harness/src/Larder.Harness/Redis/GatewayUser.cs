using Larder.Harness.Processes;

namespace Larder.Harness.Redis;

/// <summary>The Redis user of a gateway, with exactly the permissions of <c>server/gateway.acl</c>.</summary>
public static class GatewayUser
{
    /// <summary>The user's password.</summary>
    public const string Password = "s3cret-of-the-gateway";

    private const string Name = "larder";

    /// <summary>Gets the permissions, as words of ACL SETUSER.</summary>
    public static IReadOnlyList<string> Permissions { get; } =
    [
        .. File.ReadLines(Checkout.At("server/gateway.acl"))
            .Where(static line => !line.StartsWith('#'))
            .SelectMany(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)),
    ];

    /// <summary>Gets the settings of <see cref="RedisServer"/> that create the user.</summary>
    public static IReadOnlyList<string> Settings => ["--user", Name, $">{Password}", .. Permissions];

    /// <summary>Gets the start of a URL for <c>--store</c>: the user and the password.</summary>
    public static string Login => $"{Name}:{Password}@";

    /// <summary>Creates the user on a running server that requires no password.</summary>
    /// <exception cref="HarnessException">The server rejects the user.</exception>
    internal static async Task CreateAsync(int port)
    {
        string? answer = await RedisQuery
            .AskAsync(port, null, ChildProcess.Patience, ["ACL", "SETUSER", Name, $">{Password}", .. Permissions])
            .ConfigureAwait(false);
        if (answer != "OK")
        {
            throw new HarnessException($"redis-server {port} could not create the gateway's user: {answer}");
        }
    }
}
