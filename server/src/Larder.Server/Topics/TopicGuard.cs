using System.Collections.Concurrent;
using System.Text;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>Checks whether a caller may publish or subscribe to a topic, at the start of the call and during a subscription.</summary>
/// <param name="authenticator">The authenticator. It has already authenticated the calls that this class checks.</param>
internal sealed class TopicGuard(Authenticator authenticator)
{
    private readonly ConcurrentDictionary<TopicReader, Watched> _watched = new();

    /// <summary>Checks a call. Returns null if the call is allowed, otherwise the error.</summary>
    /// <param name="context">The call.</param>
    /// <param name="needs">The required right.</param>
    /// <param name="topic">The topic.</param>
    public static CallError? Check(RpcContext context, Rights needs, TopicKey topic)
    {
        if (context.Caller is not AuthenticatedCaller known || Check(known.Entry, needs, topic) is not { } error)
        {
            return null;
        }

        Authenticator.NoteDenied(context, known.Entry.Id, topic.Cache);
        return error;
    }

    /// <summary>Returns the publisher ID that subscribers receive; empty if the caller has no token.</summary>
    public static string PublisherId(RpcContext context) => context.Caller is AuthenticatedCaller known ? known.Entry.PublisherId : "";

    /// <summary>Starts checking a subscription periodically, until <see cref="Forget"/> is called.</summary>
    public void Watch(RpcContext context, TopicReader reader, TopicKey topic)
    {
        if (authenticator.Access is { } access && context.Caller is AuthenticatedCaller known)
        {
            Watched watched = new(known, topic);
            _watched[reader] = watched;
            // The token file may have changed since the call was authenticated.
            EndIfExpired(access, reader, watched);
        }
    }

    /// <summary>Stops checking a subscription that has ended. If the subscription was ended because of missing rights, this is audited.</summary>
    public void Forget(RpcContext context, TopicReader reader)
    {
        if (_watched.TryRemove(reader, out Watched? watched) && reader.Error is { Code: StatusCode.PermissionDenied })
        {
            Authenticator.NoteDenied(context, watched.Shown.Entry.Id, watched.Topic.Cache);
        }
    }

    /// <summary>Ends the subscriptions whose token was removed, has expired or has lost the required right.</summary>
    public void Look()
    {
        if (authenticator.Access is not { } access)
        {
            return;
        }

        foreach ((TopicReader reader, Watched watched) in _watched)
        {
            EndIfExpired(access, reader, watched);
        }
    }

    private static void EndIfExpired(AccessControl access, TopicReader reader, Watched watched)
    {
        TokenTable table = access.Table;
        if (!ReferenceEquals(table, watched.Table))
        {
            watched.Token = table.Find(watched.Shown);
            watched.Table = table;
            watched.Denied = watched.Token is { } token ? Check(token.Entry, Rights.Read, watched.Topic) : AccessErrors.UnknownToken;
        }

        CallError? error = watched.Denied ?? (watched.Token!.HasExpired(access.Time.GetUtcNow()) ? AccessErrors.ExpiredToken : null);
        if (error is not null)
        {
            reader.End(error, isAtOnce: true);
        }
    }

    private static CallError? Check(TokenEntry entry, Rights needs, TopicKey topic)
    {
        CacheRights rights = entry.In(topic.Cache);
        return (rights.Topics & needs) == needs || rights.AllowsTopic(needs, Encoding.UTF8.GetBytes(topic.Topic))
            ? null
            : AccessErrors.DeniedTopic(needs, topic.Cache);
    }

    private sealed class Watched(AuthenticatedCaller shown, TopicKey topic)
    {
        public AuthenticatedCaller Shown => shown;

        public TopicKey Topic => topic;

        public TokenTable? Table { get; set; }

        public AuthenticatedCaller? Token { get; set; }

        public CallError? Denied { get; set; }
    }
}
