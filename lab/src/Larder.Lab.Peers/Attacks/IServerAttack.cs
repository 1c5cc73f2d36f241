namespace Larder.Lab.Peers.Attacks;

/// <summary>One attack on a server that other tenants use.</summary>
internal interface IServerAttack
{
    /// <summary>Gets the name on the command line.</summary>
    string Name { get; }

    /// <summary>Gets a description in one sentence.</summary>
    string Description { get; }

    /// <summary>Gets the configuration of the attacked server.</summary>
    AttackedServer Server => AttackedServer.Plaintext;

    /// <summary>Gets whether the store must be full before the attack, so that the memory limit has no slack.</summary>
    bool FillsStore => false;

    /// <summary>Gets why the attack cannot run on this machine; null if it can.</summary>
    string? Obstacle => null;

    /// <summary>Stores the items that the attack needs, before anything is measured.</summary>
    Task PrepareAsync(AttackTarget target, CancellationToken stop) => Task.CompletedTask;

    /// <summary>Attacks once, over one connection unless the attack consists of connections. Called repeatedly until stopped.</summary>
    Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop);
}

/// <summary>How the attacked server is configured.</summary>
internal enum AttackedServer
{
    /// <summary>Tokens, over plaintext.</summary>
    Plaintext,

    /// <summary>Tokens, over TLS.</summary>
    Tls,

    /// <summary>Tokens, over TLS with client certificates.</summary>
    ClientCertificates,
}
